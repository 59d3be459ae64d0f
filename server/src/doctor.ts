import { describeGeoIpFile } from './adapters/geoip/geoip.ts'
import type { Config } from './config.ts'
import { isLoopbackUrl } from './lib/loopback.ts'
import { checkSecret, openAdapters } from './main.ts'
import { otherSecrets } from './other-secrets.ts'

/**
 * `vrata doctor`: checks settings, database, secret, mail and GeoIP without starting the server; exits with 1 when a
 * check fails.
 */
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
    const loopback = isLoopbackUrl(config.url)
    if (!config.secure && !loopback)
      throw new Error(`${config.url} does not use https; passwords would be sent unencrypted`)
    return config.url
  })
  const { adapters, store } = await openAdapters(config)
  await check('database', async () => {
    await store.ping()
    return store.engine
  })
  await check('migrations', async () => {
    const pending = await store.pendingMigrations()
    if (pending.length) throw new Error(`${pending.join(', ')} pending; run "vrata migrate" or start the server`)
    return 'up to date'
  })
  await check('secret', async () => {
    await checkSecret(adapters, store)
    return otherSecrets(config).length > 0
      ? 'matches the database; another one is accepted until "vrata secret rotate --finish"'
      : 'matches the database'
  })
  await check(
    'mail',
    async () => config.smtp_url?.replace(/\/\/[^@/]*@/, '//') ?? `written to ${config.data_dir}/outbox`,
  )
  await check('metrics', async () => {
    if (config.metrics_token) return 'available with the token'
    return isLoopbackUrl(config.url) ? 'available on this machine' : 'off; VRATA_METRICS_TOKEN is not set'
  })
  await check('client certificates', async () => {
    const { mtls, trust_proxy } = config
    if (!mtls) return 'not accepted; VRATA_MTLS_HEADER is not set'
    const verified = mtls.verified_header ? `verified by ${mtls.verified_header}` : 'none verified'
    return `read from ${mtls.header} (${mtls.format}) of ${trust_proxy}, ${verified}`
  })
  await check('locations', async () => {
    const { geoip_file: file } = config
    if (!file) return 'not shown; VRATA_GEOIP_FILE is not set'
    return await describeGeoIpFile(file).catch((cause) => {
      throw new Error(`not shown; VRATA_GEOIP_FILE cannot be read: ${cause.message}`, { cause })
    })
  })
  await store.close()
  process.exitCode = healthy ? 0 : 1
}
