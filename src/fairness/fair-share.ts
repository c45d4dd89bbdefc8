/** The limits for one tenant (a person with the organizations that they created, or another organization), and for all of them. */
export type ShareLimits = {
  /** Tasks at once; each tenant has at most one. */
  maxRunning: number
  /** Large tasks at once; the other places are for small tasks, which would wait long behind large ones. */
  maxRunningLarge: number
  largeBytes: number
  /** Bytes that tasks and answers hold at once. */
  maxBytes: number
  maxTenantBytes: number
  /** After a task that took T, the tenant's next one waits this many times T. */
  restFactor: number
}

/** The task limits its own time and never rejects; a task that will never run is cancelled. */
type Task = { bytes: number; run: () => Promise<void>; cancel: () => void }
/** Less than an eval waits, so that even a tenant with slow reads is served. */
const maxRestMs = 4000

type Running = { promise: Promise<void>; isLarge: boolean }
type Tenant = { waiting: Task[]; isRunning: boolean; heldBytes: number; restsUntil: number }

/**
 * Runs work that is too large for the common statement. Tenants alternate; a tenant with much work delays only itself. A task
 * above the limit runs once its tenant holds nothing else.
 */
export class FairShare {
  readonly #limits: ShareLimits
  /** In the order in which they are served; only tenants that wait, run, hold or rest. */
  readonly #tenants = new Map<string, Tenant>()
  readonly #running = new Set<Running>()
  #heldBytes = 0
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(limits: ShareLimits) {
    this.#limits = limits
  }

  /** Runs the task when it is the tenant's turn. */
  run(tenant: string, task: Task): void {
    if (this.#isClosed) {
      task.cancel()
      return
    }
    this.#tenantOf(tenant).waiting.push({ ...task, bytes: Math.min(task.bytes, this.#limits.maxTenantBytes) })
    this.#serve()
  }

  /** Counts the bytes of an answer until it is sent. To be released once. */
  hold(tenant: string, bytes: number): () => void {
    this.#take(this.#tenantOf(tenant), bytes)
    return () => {
      this.#take(this.#tenantOf(tenant), -bytes)
      this.#serve()
    }
  }

  /** Cancels waiting tasks; resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const tenant of this.#tenants.values()) for (const { cancel } of tenant.waiting.splice(0)) cancel()
    await Promise.all(Array.from(this.#running, ({ promise }) => promise))
  }

  #tenantOf(name: string): Tenant {
    let tenant = this.#tenants.get(name)
    if (tenant === undefined) {
      tenant = { waiting: [], isRunning: false, heldBytes: 0, restsUntil: 0 }
      this.#tenants.set(name, tenant)
    }
    return tenant
  }

  #take(tenant: Tenant, bytes: number): void {
    tenant.heldBytes += bytes
    this.#heldBytes += bytes
  }

  #serve(): void {
    const now = performance.now()
    let wakesAt = Number.POSITIVE_INFINITY
    for (const [name, tenant] of [...this.#tenants]) {
      if (tenant.restsUntil > now) {
        if (tenant.waiting.length > 0) wakesAt = Math.min(wakesAt, tenant.restsUntil)
        continue
      }
      if (this.#mayStart(tenant)) this.#start(name, tenant)
      else if (tenant.waiting.length === 0 && !tenant.isRunning && tenant.heldBytes === 0) this.#tenants.delete(name)
    }
    clearTimeout(this.#timer)
    if (wakesAt !== Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.#serve(), wakesAt - now + 1)
    }
  }

  #mayStart({ waiting, isRunning, heldBytes }: Tenant): boolean {
    const [task] = waiting
    if (task === undefined || isRunning || !this.#hasPlace(task)) return false
    if (heldBytes > 0 && heldBytes + task.bytes > this.#limits.maxTenantBytes) return false
    return this.#heldBytes === 0 || this.#heldBytes + task.bytes <= this.#limits.maxBytes
  }

  #hasPlace({ bytes }: Task): boolean {
    const { maxRunning, maxRunningLarge, largeBytes } = this.#limits
    if (this.#running.size >= maxRunning) return false
    if (bytes < largeBytes) return true
    return Array.from(this.#running).filter(({ isLarge }) => isLarge).length < maxRunningLarge
  }

  #start(name: string, tenant: Tenant): void {
    const task = tenant.waiting.shift() as Task
    tenant.isRunning = true
    this.#take(tenant, task.bytes)
    const startedAt = performance.now()
    const isLarge = task.bytes >= this.#limits.largeBytes
    const running: Running = { isLarge, promise: Promise.resolve() }
    running.promise = task.run().finally(() => {
      const endedAt = performance.now()
      tenant.isRunning = false
      tenant.restsUntil = endedAt + Math.min((endedAt - startedAt) * this.#limits.restFactor, maxRestMs)
      this.#take(tenant, -task.bytes)
      this.#running.delete(running)
      // Behind the others, which may have waited for a place.
      this.#tenants.delete(name)
      this.#tenants.set(name, tenant)
      this.#serve()
    })
    this.#running.add(running)
  }
}
