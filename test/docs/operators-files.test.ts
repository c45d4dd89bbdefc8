import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const files = globSync('docs/operations/**/*', { withFileTypes: true })
  .filter((each) => each.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`)

/** The matches of the expression in the files for operators, without repetitions. */
const findMatches = (expression: RegExp) => [
  ...new Set(files.flatMap((file) => Array.from(readFileSync(file, 'utf8').matchAll(expression), ([, name]) => name))),
]

it('the systemd units and the pages for operators name the same environment file', () => {
  expect(findMatches(/EnvironmentFile=(\S+)/g)).toEqual(['/etc/entitlements-service/environment'])
  expect(findMatches(/(\/etc\/entitlements[\w./-]*\w)/g)).toEqual(['/etc/entitlements-service/environment'])
})

it('the pages for operators enable only systemd units that they contain or that are files beside them', () => {
  const units = [...files, ...findMatches(/# \/etc\/systemd\/system\/(\S+)/g)].flatMap((file) =>
    Array.from(String(file).matchAll(/([\w-]+)@\.service$/g), ([, unit]) => unit),
  )

  expect(findMatches(/([\w-]+)@[\w%]+/g).filter((unit) => unit?.startsWith('entitlements'))).toEqual(
    expect.arrayContaining(units),
  )
  for (const unit of findMatches(/systemctl (?:enable --now|restart|stop) (entitlements[\w-]*)/g))
    expect(units).toContain(unit)
})

it('all files for operators name the same folder for the release', () => {
  expect(findMatches(/(\/opt\/[\w-]+)/g)).toEqual(['/opt/entitlements-service'])
})

it('each map that the move of an organization writes is read by the configuration of a proxy', () => {
  const maps = findMatches(/reroute\.sh \w+ (\S+)/g)

  expect(maps).not.toEqual([])
  for (const map of maps) {
    const reads = ['docs/operations/groups.haproxy.cfg', 'docs/operations/groups.nginx.conf'].map((file) =>
      readFileSync(file, 'utf8'),
    )
    expect(reads.some((text) => text.includes(String(map)))).toBe(true)
  }
})
