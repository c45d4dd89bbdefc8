import { migrate } from '../../src/database/migrate.ts'

await migrate({ url: process.env.BENCH_DB as string })
