import { Command } from '@commander-js/extra-typings'
import { type Context, type Environment, examples } from '../command.ts'
import { connect, urlOption } from '../connection.ts'
import { type Change, follow } from '../listen/follow.ts'
import { forward, isForWebhooks, newSecret } from '../listen/forward.ts'
import { Problem } from '../problem.ts'

export const listen = ({ env, output }: Context) =>
  new Command('listen')
    .summary('follow changes, and send them to a webhook receiver on this machine')
    .description(
      `Prints each change as it happens, until Ctrl C. With --forward, also signs each change and posts it to an address, as the service's webhook would, so that a laptop needs no public address. The secret for the signature is WEBHOOK_SECRET, or a new secret, which is printed. Each change is sent only once; unlike the service's own webhook, the command does not repeat failed attempts.`,
    )
    .option('--forward <address>', 'where to post each change, such as http://localhost:3000/webhooks')
    .option('--subscriber <id>', 'only the changes of this subscriber, and those that concern everybody')
    .addOption(urlOption)
    .addHelpText(
      'after',
      examples(
        'entitlements listen',
        'WEBHOOK_SECRET=whsec_… entitlements listen --forward http://localhost:3000/webhooks',
      ),
    )
    .action(async ({ forward: to, subscriber, url }) => {
      const connection = connect(env, url)
      const secret = to === undefined ? null : readSecret(to, env)
      // A secret from the environment may be production's, and this output may end up in a log.
      const shownSecret = env.WEBHOOK_SECRET === undefined ? secret : 'WEBHOOK_SECRET'
      const stopping = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

      await follow(connection, {
        signal: stopping.signal,
        onReady() {
          output.note(`Listening to ${connection.url}. Ctrl C ends it.`)
          if (to !== undefined) output.note(`Forwarding to ${to.replace(/[?#].*/s, '')}, signed with ${shownSecret}`)
        },
        onReset() {
          output.print('reset: anything may have changed. Drop everything that you have cached.')
          output.jsonLine({ type: 'reset' })
        },
        onTrouble: output.note,
        async onChange(change) {
          const { subscriber_id: id } = change
          if (subscriber !== undefined && id !== undefined && id !== subscriber) return
          const sent =
            to === undefined || !isForWebhooks(change) ? null : await forward(change, { to, secret: secret as string })
          output.print(describe(change, to, sent))
          output.jsonLine(to === undefined ? change : { ...change, forwarded: sent })
        },
      })
    })

function readSecret(to: string, { WEBHOOK_SECRET: secret = newSecret() }: Environment): string {
  // Node 20.11 does not have URL.parse.
  const address = URL.canParse(to) ? new URL(to) : null
  if (address && address.username + address.password !== '') {
    throw new Problem('--forward must be an address without a user and a password.', { code: 'USAGE' })
  }
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new Problem(`--forward must be an address such as http://localhost:3000/webhooks, but is "${to}".`, {
      code: 'USAGE',
    })
  }
  if (!/^whsec_[0-9A-Za-z]{43}$/.test(secret)) {
    throw new Problem('WEBHOOK_SECRET must be whsec_ and 43 letters and digits. If unset, a new secret is created.', {
      code: 'USAGE',
    })
  }
  return secret
}

/** `2026-11-23T04:30:12.345Z entitlements.stale cust_4711 override: export → 200`. */
function describe(change: Change, to: string | undefined, sent: number | string | null): string {
  const { type, occurred_at, subscriber_id, key, cause, features } = change
  const reason = cause === undefined ? null : `${cause}${Array.isArray(features) ? `: ${features.join(', ')}` : ''}`
  const result = to === undefined ? null : sent === null ? '(not sent by webhooks)' : `→ ${sent}`
  return [occurred_at, type, subscriber_id ?? key, reason, result]
    .filter((each) => each !== undefined && each !== null)
    .join(' ')
}
