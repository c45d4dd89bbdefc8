export default {
  zod: { input: 'openapi.json', output: { client: 'zod', target: 'src/generated/orval-zod.ts' } },
}
