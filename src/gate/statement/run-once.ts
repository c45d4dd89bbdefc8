import { asynchronousCommit } from '../../database/sql.ts'

/**
 * The beginning of a statement that must take effect once, however often it is sent: `once` has a row only if the number is
 * higher than all earlier numbers of the sender. $4 is the sender's id, $5 the number.
 */
export const runOnceText = `with setting as materialized (select ${asynchronousCommit}),
 once as (
   insert into eval_batch as b (gate_id, place, number, counted_at)
   select $4, 0, $5, clock_timestamp() from setting
   on conflict (gate_id, place) do update set number = excluded.number, counted_at = excluded.counted_at
     where b.number < excluded.number
   returning 1)`
