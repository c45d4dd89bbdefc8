import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'

it.each(['validate', 'format --check'])('`prisma %s` accepts the schema and downloads nothing', (command) => {
  const home = mkdtempSync(`${tmpdir()}/prisma-home-`)
  onTestFinished(() => rmSync(home, { recursive: true }))
  // An address for Prisma's engines at which no server listens, and an empty cache.
  const env = { PATH: process.env.PATH, HOME: home, PRISMA_ENGINES_MIRROR: 'http://127.0.0.1:1' }

  const args = ['node_modules/prisma/build/index.js', ...command.split(' ')]
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })

  const errors = stderr.replace(/^(Loaded|Prisma schema loaded).*\n*/gm, '')
  expect({ status, errors }).toEqual({ status: 0, errors: '' })
})
