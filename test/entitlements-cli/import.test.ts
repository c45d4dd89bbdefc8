import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { commandLineFor } from './command-line.ts'
import { startMeddlingProxy } from './meddling-proxy.ts'

const service = await startService()

async function setUp() {
  const caller = await service.organization('developer')
  const acme = vendor(caller)
  await acme.features()
  await acme.plan('pro')
  return { caller, acme, cli: commandLineFor({ url: service.url, key: caller.key }) }
}

describe('import', () => {
  it('reads the columns of a CSV file, with overrides, and can be repeated', async () => {
    const { acme, cli } = await setUp()
    cli.write(
      'customers.csv',
      `\uFEFFsubscriber_id,name,plan_id,overrides.sso,overrides.seats,overrides.color,Remark
cust_1,"Globex, Inc.",pro,yes,12,red,"two
lines"

cust_2,,,,unlimited,,
`,
    )

    const { code, stdout } = await cli.run(['import', 'customers.csv'])

    expect(stdout).toBe('2 lines: 2 created, 0 updated, 0 unchanged, 0 refused\n')
    expect(code).toBe(0)
    expect(await acme.get('/org/subscribers/cust_1')).toMatchObject({ name: 'Globex, Inc.' })
    expect(await acme.get('/org/subscribers/cust_1/entitlements')).toMatchObject({
      plan: 'pro',
      entitlements: [
        { feature: 'color', value: 'red' },
        { feature: 'seats', limit: 12 },
        { feature: 'sso', allowed: true },
      ],
    })
    expect((await acme.get('/org/subscribers/cust_2/overrides')).overrides).toMatchObject([
      { feature: 'seats', limit: null },
    ])
    expect((await cli.json(['import', 'customers.csv'])).body).toEqual({
      lines: 2,
      created: 0,
      updated: 0,
      unchanged: 2,
      refused: 0,
      is_dry_run: false,
      refused_file: null,
    })
  })

  it('reports every refused line, even if an answer of the service has no room for all errors', async () => {
    const { acme, cli } = await setUp()
    const overrides = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`feature-${n}`, 0]))
    const lines = Array.from({ length: 600 }, (_, n) => JSON.stringify({ subscriber_id: `s${n}`, overrides }))
    cli.write('customers.ndjson', [...lines, '{"subscriber_id":"right"}'].join('\n'))

    const { stdout } = await cli.run(['import', 'customers.ndjson', '--refused', 'refused.ndjson'])

    expect(stdout).toMatch('601 lines: 1 created, 0 updated, 0 unchanged, 600 refused\n')
    const refused = cli.read('refused.ndjson').trim().split('\n')
    expect(refused.map((line) => JSON.parse(line).subscriber_id)).toEqual(lines.map((_, n) => `s${n}`))
    expect((await acme.get('/org/subscribers')).subscribers).toHaveLength(1)
  })

  it('reads columns with other names, and writes refused lines to a file that can be corrected and imported', async () => {
    const { acme, cli } = await setUp()
    cli.write(
      'crm.csv',
      `Customer No;Tier;Users;Customer
a b;pro;1;Has a space
c2;pro;many;Wrong number
c3;pro;7;Right; and more
c4;gold;8;"No ""gold"" plan"
c5;pro;9;Right
`,
    )
    const map = 'subscriber_id=Customer No,plan_id=Tier,name=Customer,overrides.seats=Users'
    const run = (file: string, ...options: string[]) =>
      cli.run(['import', file, '--map', map, '--refused', 'refused.csv', ...options])

    const { code, stdout, stderr } = await run('crm.csv', '--delimiter', ';')

    expect(code).toBe(1)
    expect(stderr).toMatch('line 3: Users: must be a whole number from 0, or unlimited.\n')
    expect(stderr).toMatch('line 4: it has 5 cells, but there are 4 columns.')
    expect(stderr).toMatch(/line 5: NOT_FOUND: .*gold/)
    expect(stdout).toBe(`5 lines: 1 created, 0 updated, 0 unchanged, 4 refused
The refused lines are in refused.csv. Correct them, and import that file.
`)
    const refused = cli.read('refused.csv')
    expect(refused.split('\n')[0]).toBe('Customer No;Tier;Users;Customer;error')
    expect(refused).toMatch(/\na b;pro;1;Has a space;"?VALIDATION_ERROR: /)
    expect(refused).toMatch(/\nc4;gold;8;"No ""gold"" plan";"?NOT_FOUND: /)

    cli.write(
      'corrected.csv',
      refused
        .replace('a b', 'ab')
        .replace('many', '3')
        .replace(';gold;', ';pro;')
        .replace(/c3.*\n/, ''),
    )
    expect((await run('corrected.csv', '--delimiter', ';')).stdout).toBe(
      '3 lines: 3 created, 0 updated, 0 unchanged, 0 refused\n',
    )
    expect((await acme.get('/org/subscribers/c2/overrides/seats')).limit).toBe(3)
  })

  it('names the columns that it does not import', async () => {
    const { cli } = await setUp()
    cli.write('crm.csv', 'Customer,Plan,note\na,pro,Trial\n')
    const run = async (file: string, map: string) => (await cli.run(['import', file, '--map', map])).stderr

    expect(await run('crm.csv', 'subscriber_id=Customer')).toBe(
      'Not imported: the columns "Plan", "note". Use --map to name the field of a column.\n',
    )
    expect(await run('crm.csv', 'subscriber_id=Customer,plan_id=Plan')).toMatch(/^Not imported: the column "note"\. /)

    cli.write('own.csv', 'subscriber_id,plan_id,overrides.seats,note,created_at,error\nb,pro,3,Trial,,\n')
    expect((await cli.run(['import', 'own.csv'])).stderr).toBe('')
  })

  it('reads NDJSON unchanged or with a mapping, and also from standard input', async () => {
    const { acme, cli } = await setUp()
    const lines = `{"subscriber_id":"a","plan_id":"pro","overrides":{"sso":{"kind":"flag","allowed":true}}}

{"subscriber_id":
{"id":"b"}
`
    const plain = await cli.run(['import', '-', '--format', 'ndjson', '--refused', 'refused.ndjson'], { input: lines })
    cli.write('crm.jsonl', '{"id":"c","users":5}\n[]\n')
    const mapped = await cli.run(['import', 'crm.jsonl', '--map', 'subscriber_id=id,overrides.seats=users'])

    expect(plain.stdout).toMatch('3 lines: 1 created, 0 updated, 0 unchanged, 2 refused\n')
    const [broken, unnamed] = cli.read('refused.ndjson').trim().split('\n')
    expect(broken).toBe('{"subscriber_id":')
    expect(JSON.parse(unnamed as string)).toEqual({
      id: 'b',
      error: expect.stringMatching(/^VALIDATION_ERROR: .*subscriber_id/),
    })
    expect(mapped.stdout).toBe('2 lines: 1 created, 0 updated, 0 unchanged, 1 refused\n')
    expect(mapped.stderr).toMatch('line 2: it is not a JSON object.')
    expect((await acme.get('/org/subscribers/c/overrides/seats')).limit).toBe(5)
  })

  it('accepts a column name with spaces around it, and refuses numbers that are too large', async () => {
    const { acme, cli } = await setUp()
    const huge = '9'.repeat(400)
    cli.write('customers.csv', `subscriber_id, name , overrides.seats\na, Globex ,5\nb,,${huge}\n`)

    const { stdout, stderr } = await cli.run(['import', 'customers.csv'])

    expect(stdout).toBe('2 lines: 1 created, 0 updated, 0 unchanged, 1 refused\n')
    expect(stderr).toMatch('line 3: overrides.seats: must be a whole number from 0, or unlimited.\n')
    expect(await acme.get('/org/subscribers/a')).toMatchObject({ name: 'Globex' })
  })

  it('splits NDJSON only at line feeds, and refuses a line that is not in UTF-8', async () => {
    const { acme, cli } = await setUp()
    const latin = Buffer.from('subscriber_id,name\nc,M\xfcller\n', 'latin1')
    writeFileSync(join(cli.folder, 'latin.csv'), latin)

    const lines = await cli.run(['import', '-', '--format', 'ndjson'], {
      input: '{"subscriber_id":"a","name":"one\u2028two"}\r\n{"subscriber_id":"b"}',
    })
    const refused = await cli.run(['import', 'latin.csv'])

    expect(lines.stdout).toBe('2 lines: 2 created, 0 updated, 0 unchanged, 0 refused\n')
    expect(await acme.get('/org/subscribers/a')).toMatchObject({ name: 'one\u2028two' })
    expect(refused.stderr).toMatch('line 2: it is not in UTF-8. Save the file in UTF-8.\n')
    expect(refused.stdout).toBe('1 line: 0 created, 0 updated, 0 unchanged, 1 refused\n')
  })

  it('changes nothing with --dry-run', async () => {
    const { acme, cli } = await setUp()
    cli.write('customers.csv', 'subscriber_id,plan_id\na,pro\nb,gold\n')

    const { code, stdout } = await cli.run(['import', 'customers.csv', '--dry-run'])

    expect(stdout).toBe(
      'Nothing was changed. The result would be: 2 lines: 1 created, 0 updated, 0 unchanged, 1 refused\n',
    )
    expect(code).toBe(1)
    expect((await acme.get('/org/subscribers')).subscribers).toEqual([])
  })

  it('reads the expiry, the note and any other field of an override from columns of any name', async () => {
    const { acme, cli } = await setUp()
    cli.write(
      'crm.csv',
      `Customer,Users,Until,Why,overrides.sso,note
a,5,2099-01-01T00:00:00Z,Trial,yes,Deal 7
b,,2099-01-01T00:00:00Z,Trial,,
c,9,,,,
`,
    )
    const map = [
      'subscriber_id=Customer',
      'overrides.seats=Users',
      'overrides.seats.expires_at=Until',
      'overrides.seats.note=Why',
    ]

    const { stdout } = await cli.run(['import', 'crm.csv', '--map', map.join(',')])

    expect(stdout).toBe('3 lines: 3 created, 0 updated, 0 unchanged, 0 refused\n')
    const overridesOf = async (id: string) => (await acme.get(`/org/subscribers/${id}/overrides`)).overrides
    expect(await overridesOf('a')).toMatchObject([
      { feature: 'sso', expires_at: null, note: 'Deal 7' },
      { feature: 'seats', limit: 5, expires_at: '2099-01-01T00:00:00.000Z', note: 'Trial' },
    ])
    expect(await overridesOf('b')).toEqual([])
    expect(await overridesOf('c')).toMatchObject([{ feature: 'seats', limit: 9, expires_at: null }])
  })

  it('reads files that spreadsheets write, with a line that names the delimiter and with emptied rows', async () => {
    const { cli } = await setUp()
    cli.write('excel.csv', '\uFEFFsep=;\r\nsubscriber_id;plan_id\r\n;\r\na;pro\r\n ; \r\nb;gold\r\n;;\r\n')

    const first = await cli.run(['import', 'excel.csv', '--refused', 'refused.csv'])
    cli.write('corrected.csv', cli.read('refused.csv').replace('gold', 'pro'))
    const corrected = await cli.run(['import', 'corrected.csv'])

    expect(first.stdout).toMatch('2 lines: 1 created, 0 updated, 0 unchanged, 1 refused\n')
    expect(first.stderr).toMatch(/^line 6: NOT_FOUND: /m)
    expect(corrected.stdout).toBe('1 line: 1 created, 0 updated, 0 unchanged, 0 refused\n')
  })

  it.each([
    ['subscriber_id,overrides.seats\n1.5E+10,5\n', 'subscriber_id'],
    ['subscriber_id,overrides.seats\na,"1,5e+10"\n', 'overrides.seats'],
  ])('refuses a number that a spreadsheet shortened, and explains it: %j', async (text, column) => {
    const { acme, cli } = await setUp()
    cli.write('customers.csv', text)

    const { code, stderr } = await cli.run(['import', 'customers.csv'])

    expect(stderr).toMatch(
      new RegExp(`^line 2: ${column}: a spreadsheet shortened it to 1.5E\\+10\\. Give the column`, 'i'),
    )
    expect(code).toBe(1)
    expect((await acme.get('/org/subscribers')).subscribers).toEqual([])
  })

  it('reports a customer with several rows, and imports the last of these rows', async () => {
    const { acme, cli } = await setUp()
    cli.write('customers.csv', 'subscriber_id,overrides.seats,overrides.sso\na,5,\nb,1,\na,7,yes\n')

    const { code, stderr } = await cli.run(['import', 'customers.csv'])

    expect(stderr).toMatch(
      'line 4: a is also in line 2\nIf several rows for one subscriber set the same column, the last row counts.\n',
    )
    expect(code).toBe(0)
    expect((await acme.get('/org/subscribers/a/overrides/seats')).limit).toBe(7)
    expect((await cli.json(['import', 'customers.csv'])).body).toMatchObject({ lines: 3, repeated: 1 })
  })

  it("reads the service's own exports as they are, and changes nothing", async () => {
    const { caller, acme, cli } = await setUp()
    const names = [
      '=1+1',
      "'=1+1",
      "''-x",
      '@a',
      '+49 30',
      '-5',
      '\ttab',
      ' spaces ',
      "O'Neil",
      'two\nlines',
      '"quoted"',
    ]
    for (const [index, name] of names.entries()) await acme.subscriber(`-cust_${index}`, { name })
    await acme.subscriber('@plain')
    await acme.subscribe('-cust_0', 'pro')
    const exported = await fetch(`${service.url}/org/subscribers`, {
      headers: { 'x-api-key': caller.key, accept: 'text/csv' },
    })
    writeFileSync(join(cli.folder, 'subscribers.csv'), Buffer.from(await exported.arrayBuffer()))

    const { stdout } = await cli.run(['import', 'subscribers.csv'])

    expect(stdout).toBe('12 lines: 0 created, 0 updated, 12 unchanged, 0 refused\n')
  })

  it.each([
    ['csv', '{"subscriber_id":"a"}\n', 'is not CSV. This is NDJSON: a JSON object on each line. Give --format ndjson.'],
    ['csv', 'PK\u0003\u0004', 'is not CSV. This is a spreadsheet workbook. Save it as "CSV UTF-8".'],
    ['csv', '[{"subscriber_id":"a"}]', 'is not CSV. This is a JSON array. '],
    ['ndjson', 'subscriber_id,plan_id\na,pro\n', 'is not NDJSON. This is a CSV file. Give --format csv.'],
    [
      'ndjson',
      '[\n{"subscriber_id":"a"}\n]\n',
      'is not NDJSON. This is a JSON array. Write each of its objects on a line',
    ],
    ['ndjson', '{\n  "subscriber_id": "a"\n}\n', 'is not NDJSON. This is JSON over several lines. '],
  ])('recognizes a file that is not %s: %j', async (format, text, message) => {
    const { cli } = await setUp()
    cli.write(`file.${format}`, text)

    const { code, stderr } = await cli.run(['import', `file.${format}`])

    expect(stderr).toContain(`file.${format} ${message}`)
    expect(code).toBe(1)
  })

  it('recognizes a file in UTF-16', async () => {
    const { cli } = await setUp()
    writeFileSync(join(cli.folder, 'file.csv'), Buffer.from('\uFEFFsubscriber_id\na\n', 'utf16le'))

    expect((await cli.run(['import', 'file.csv'])).stderr).toBe(
      'file.csv is not CSV. This is text in UTF-16. Save it in UTF-8.\n',
    )
  })

  it('prints the reason and ends if it can no longer write the file of refused lines', async () => {
    const { acme, cli } = await setUp()
    const folder = join(cli.folder, 'refused')
    mkdirSync(folder)
    const url = await startMeddlingProxy(service.url, async () => rmSync(folder, { recursive: true, force: true }))
    cli.write('customers.csv', 'subscriber_id,plan_id\ncust_1,pro\ncust_2,gold\n')

    const { code, stderr } = await cli.run(['import', 'customers.csv', '--refused', 'refused/lines.csv', '--url', url])

    expect(stderr).toBe("ENOENT: no such file or directory, open 'refused/lines.csv'.\n")
    expect(code).toBe(1)
    expect(await acme.get('/org/subscribers/cust_1')).toMatchObject({ subscriber_id: 'cust_1' })
  })

  it('names every refused line of a file of any length, and shows its progress', async () => {
    const { cli } = await setUp()
    const rows = Array.from({ length: 3_500 }, (_, index) => `c${index},${index % 2 === 0 ? 'pro' : 'gold'}`)
    cli.write('customers.csv', ['subscriber_id,plan_id', ...rows].join('\n'))

    const { stdout, stderr } = await cli.run(['import', 'customers.csv', '--refused', 'refused.csv'])

    expect(stderr).not.toMatch('3,500 lines')
    expect(stdout).toMatch('3,500 lines: 1,750 created, 0 updated, 0 unchanged, 1,750 refused\n')
    expect(stderr).toMatch('\n1,000 lines: 500 created, 0 updated, 0 unchanged, 500 refused\n')
    expect(stderr).toMatch('\n3,000 lines: ')
    expect(stderr).toMatch('… and 1,730 more\n')
    expect(cli.read('refused.csv').trim().split('\n')).toHaveLength(1_751)
  })

  it.each([
    [
      'a,b\n1,2\n',
      [],
      'No column is called subscriber_id. Name the column with the ids: --map subscriber_id=COLUMN. The columns are "a", "b".\n',
    ],
    ['a,b\n1,2\n', ['--map', 'subscriber_id=c'], '--map names the column "c", but the columns are "a", "b".\n'],
    [
      'a,b\n1,2\n',
      ['--map', 'id=a'],
      /^--map has "id=a", but takes subscriber_id, name, plan_id or overrides\.FEATURE, /,
    ],
    [
      'subscriber_id\na"b\n',
      [],
      /^file\.csv:2: Invalid Opening Quote: .* Correct it, and import the file again\. Lines before it may have been imported/,
    ],
    ['subscriber_id,name,name\na,b,c\n', [], 'Two columns are called "name". Rename one of them.\n'],
    ['', [], 'file.csv is empty. Its first line must have the names of the columns.\n'],
    ['subscriber_id\na\n', ['--delimiter', ''], '--delimiter must be a character, such as ";".\n'],
    [
      'subscriber_id\na\n',
      ['--refused', 'no-folder/refused.csv'],
      /^ENOENT: no such file or directory, open '.*no-folder\/refused\.csv'\.\n$/,
    ],
    [
      'subscriber_id,overrides.seats.note\na,b\n',
      [],
      'overrides.seats.note needs a column for the value: overrides.seats.\n',
    ],
    ['subscriber_id\na\n', ['--refused', './file.csv'], '--refused must name a file other than the one to import.\n'],
  ])('says what to correct: %j %j', async (text, options, message) => {
    const { cli } = await setUp()
    cli.write('file.csv', text)

    const { code, stderr } = await cli.run(['import', 'file.csv', ...options])

    expect(code).toBe(1)
    expect(stderr).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })

  it('says which file or format is missing', async () => {
    const { cli } = await setUp()

    expect((await cli.run(['import', '.', '--format', 'csv'])).stderr).toBe(
      'EISDIR: illegal operation on a directory, read.\n',
    )
    expect((await cli.run(['import', 'none.csv'])).stderr).toBe('There is no file none.csv.\n')
    expect((await cli.run(['import', 'none.xlsx'])).stderr).toBe(
      '--format must be csv or ndjson: the name "none.xlsx" does not say which.\n',
    )
  })
})
