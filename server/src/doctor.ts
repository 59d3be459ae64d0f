import type { Config } from './config.ts'
import { checkSecret, openWorld } from './main.ts'
import { placesFile } from './ports/places.ts'

/** Says what a start would meet, without starting: one line per check; exits with 1 when something is wrong. */
export async function doctor(config: Config): Promise<void> {
  let healthy = true
  const check = async (what: string, probe: () => Promise<string>) => {
    try {
      console.log(`ok    ${what}: ${await probe()}`)
    } catch (error) {
      healthy = false
      console.log(`wrong ${what}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  await check('address', async () => {
    const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(config.url).hostname)
    if (!config.secure && !loopback)
      throw new Error(`${config.url} is not https; people's passwords would travel in the open`)
    return config.url
  })
  const { world, store } = await openWorld(config)
  await check('database', async () => {
    await store.ping()
    return store.engine
  })
  await check('migrations', async () => {
    const pending = await store.pendingMigrations()
    if (pending.length) throw new Error(`${pending.join(', ')} waiting; run "vrata migrate" or start the server`)
    return 'up to date'
  })
  await check('secret', async () => {
    await checkSecret(world, store)
    return 'fits the database'
  })
  await check(
    'mail',
    async () => config.smtp_url?.replace(/\/\/[^@/]*@/, '//') ?? `written to ${config.data_dir}/outbox`,
  )
  await check('metrics', async () => {
    if (config.metrics_token) return 'to whoever holds the token'
    const proxied = 'a proxy on this machine counts as this machine, so set VRATA_METRICS_TOKEN behind one'
    return config.secure ? `to this machine only; ${proxied}` : 'to this machine only'
  })
  await check('places', async () => {
    const { geoip_file: file } = config
    if (!file) return 'left out; VRATA_GEOIP_FILE is not set'
    return await placesFile(file).catch((cause) => {
      throw new Error(`left out; VRATA_GEOIP_FILE cannot be read: ${cause.message}`, { cause })
    })
  })
  await store.close()
  process.exitCode = healthy ? 0 : 1
}
