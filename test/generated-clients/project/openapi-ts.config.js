const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']

export default [
  { input: 'openapi.json', output: 'src/generated/hey-api', plugins },
  { input: 'openapi-3.0.json', output: 'src/generated/hey-api-3.0', plugins },
]
