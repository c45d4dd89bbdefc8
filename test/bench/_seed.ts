import pg from 'pg'
import { newApiKey } from '../../src/access/api-key.ts'
import { size } from './model.ts'
import { seedBench } from './seed.ts'

const pool = new pg.Pool({ connectionString: process.env.BENCH_DB, max: 1 })
await seedBench(
  pool,
  Array.from({ length: size.organizations }, () => newApiKey().hash),
)
await pool.end()
