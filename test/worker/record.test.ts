import { expect, it } from 'vitest'
import { startDeliveryTest } from '../support/delivery.ts'
import { until } from '../support/until.ts'

const test = await startDeliveryTest()
const { pool } = test.service.database

it('goes on recording beside an attempt that the database does not take', async () => {
  await test.worker()
  const [broken, other] = [await test.vendor(), await test.vendor()]
  await pool.query(
    `alter table webhook_attempt add constraint broken check (organization_id <> '${broken.organizationId}') not valid`,
  )

  await Promise.all([test.emit(broken, 3), test.emit(other, 3)])
  await broken.receiver.waitFor(3)
  await test.settled(other, 'delivered')
  await test.emit(other, 3)
  await test.settled(other, 'delivered')

  // Not sent again and again by this worker.
  expect(broken.receiver.received).toHaveLength(3)
  await pool.query('alter table webhook_attempt drop constraint broken')
  await test.worker()
  await pool.query('update webhook_lane set lease_until = null where organization_id = $1', [broken.organizationId])
  await until(() => broken.receiver.received.length > 3)
  await test.settled(broken, 'delivered')
})
