import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { findListenAddresses } from '../../src/listen.ts'

const addressesFor = (env: Record<string, string>) => findListenAddresses(loadConfig({ METRICS_PORT: '9090', ...env }))

describe('a separate worker', () => {
  it('answers health checks at WORKER_PORT of HOST', () => {
    const { healthAddress } = addressesFor({ HOST: '0.0.0.0', WORKER_PORT: '4002' })

    expect(healthAddress).toMatchObject({ host: '0.0.0.0', port: 4002 })
  })

  it('answers health checks at WORKER_PORT of 127.0.0.1, as for metrics, if HOST is a Unix socket', () => {
    const { healthAddress, metricsAddress, listenAddress } = addressesFor({ HOST: '/run/a.sock', WORKER_PORT: '4002' })

    expect(healthAddress).toMatchObject({ host: '127.0.0.1', port: 4002, variable: 'WORKER_PORT' })
    expect(metricsAddress).toMatchObject({ host: '127.0.0.1', port: 9090 })
    expect(listenAddress).toMatchObject({ host: '/run/a.sock' })
  })

  it('does not listen without WORKER_PORT', () => {
    expect(addressesFor({ HOST: '/run/a.sock' }).healthAddress).toBeNull()
  })
})
