export default {
  input: 'openapi.json',
  output: 'src/generated/hey-api',
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
}
