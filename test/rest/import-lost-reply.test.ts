import { expect, it } from 'vitest'
import { startServiceBehindProxy } from '../support/behind-proxy.ts'
import { importLines, importSuccessfully } from '../support/import.ts'
import { auditOf } from '../support/state.ts'

const { proxy, service } = await startServiceBehindProxy()
const lines = [{ subscriber_id: 'acme', name: 'Acme' }, { subscriber_id: 'globex' }, { subscriber_id: '' }]
const counts = { lines: 3, created: 2, updated: 0, unchanged: 0, failed: 1 }

it.each(['cut after commit', 'cut before commit'] as const)(
  'an import counts each line once if the connection of its transaction is %s',
  async (fault) => {
    const admin = await service.organization()
    const trapped = proxy.trapNextCommit('Acme', fault)

    const { status, body } = await importLines(admin, lines)
    await trapped

    expect(status).toBe(200)
    expect(body).toMatchObject(counts)
    const entries = await auditOf(service.database, admin.organizationId)
    expect(entries).toHaveLength(3)
    expect(await importSuccessfully(admin, lines.slice(0, 2))).toMatchObject({ created: 0, unchanged: 2 })
  },
)
