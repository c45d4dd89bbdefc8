/** `npm run pictures:update`: stores how the console looks now. */
process.env.UPDATE_PICTURES = '1'
process.argv.push('run', '--project', 'system', 'test/system/pictures.test.ts')
await import('../../run.ts')
