const toZod = (input, target) => ({ input, output: { client: 'zod', target: `src/generated/${target}` } })

export default {
  zod: toZod('openapi.json', 'orval-zod.ts'),
  'zod-3.0': toZod('openapi-3.0.json', 'orval-zod-3.0.ts'),
}
