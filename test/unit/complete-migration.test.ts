import { describe, expect, it } from 'vitest'
import { completeMigration } from '../../src/tools/complete-migration.ts'

const latest = '20261127181500_feature_usage'
const complete = (sql: string) => completeMigration(sql, latest)

describe('a new migration', () => {
  it('gets COLLATE "C" on its text columns, and may run beside the previous version if it only adds', () => {
    const { text, advice } = complete(`-- CreateTable
CREATE TABLE "unit" (
    "organization_id" TEXT NOT NULL,
    "names" TEXT[],

    CONSTRAINT "unit_pkey" PRIMARY KEY ("organization_id")
);

-- AlterTable
ALTER TABLE "feature" ADD COLUMN     "unit" TEXT,
ADD COLUMN     "weight" INTEGER NOT NULL DEFAULT 1;

-- CreateIndex
CREATE UNIQUE INDEX "unit_name" ON "unit"("names");
`)

    expect(text).toMatch(/^-- runs beside: 20261127181500_feature_usage\n\n-- CreateTable\n/)
    expect(text).toContain('"organization_id" TEXT COLLATE "C" NOT NULL,')
    expect(text).toContain('"names" TEXT[] COLLATE "C",')
    expect(text).toContain('ADD COLUMN     "unit" TEXT COLLATE "C",')
    expect(advice).toEqual([])
  })

  it.each([
    'ALTER TABLE "feature" DROP COLUMN "unit"',
    'ALTER TABLE "feature" ADD COLUMN     "unit" TEXT NOT NULL',
    'ALTER TABLE "feature" ADD COLUMN     "unit" TEXT,\nALTER COLUMN "name" SET NOT NULL',
    'ALTER TABLE "feature" ADD CONSTRAINT "own" FOREIGN KEY ("unit") REFERENCES "unit"("key")',
    'DROP TABLE "feature"',
    'CREATE UNIQUE INDEX "one" ON "feature"("unit")',
  ])('comes with a warning that the previous version may fail beside %s', (statement) => {
    const { text, advice } = complete(`-- Change\n${statement};\n`)

    expect(text).not.toContain('runs beside')
    expect(advice.join('\n')).toContain('The previous version may fail beside this: ')
    expect(advice.join('\n')).toContain(`add the line "-- runs beside: ${latest}"`)
  })

  it('comes with the advice to create an index on an existing table in a migration of its own', () => {
    const { text, advice } = complete('-- CreateIndex\nCREATE INDEX "by_unit" ON "feature"("unit");\n')

    expect(text).toContain('-- runs beside: ')
    expect(advice).toEqual([expect.stringContaining('create index concurrently if not exists')])
  })
})
