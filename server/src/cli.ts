import { type Config, ConfigError, readConfig } from './config.ts'

type Command = { does: string; run(config: Config, words: string[]): Promise<void> }

/** The commands of api.md §8. Each loads only what it needs. */
const COMMANDS: Record<string, Command> = {
  serve: {
    does: 'run the server (migrates first)',
    run: async (config) => (await import('./main.ts')).serve(config),
  },
  migrate: {
    does: 'bring the database up to date',
    run: async (config) => {
      const { openWorld } = await import('./main.ts')
      const { store } = await openWorld(config)
      const ran = await store.migrate()
      console.log(ran.length ? `Ran ${ran.join(', ')}.` : 'The database is up to date.')
      await store.close()
    },
  },
  'keys rotate': {
    does: 'sign with new keys from now on; what the old ones signed stays valid',
    run: async (config) => {
      const [{ openWorld }, { buildApp }, { rotateKeys }] = await Promise.all([
        import('./main.ts'),
        import('./app.ts'),
        import('./issuer/keys.ts'),
      ])
      const { world, store } = await openWorld(config)
      const { app, deps } = await buildApp({ world, store, pages: false })
      await rotateKeys(deps)
      console.log('The keys are rotated. Running servers take them up within a minute.')
      await app.close()
      await store.close()
    },
  },
  'client registration-token': {
    does: 'let a program register apps: <organization id> <member email> [--uses 1] [--days 1] [--pkce-optional]',
    run: async (config, args) => (await import('./registration-token.ts')).giveRegistrationToken(config, args),
  },
  doctor: {
    does: 'check settings, database, secret, mail and places',
    run: async (config) => (await import('./doctor.ts')).doctor(config),
  },
}

async function main(): Promise<void> {
  const words = process.argv.slice(2)
  const name = words[0] ?? 'serve'
  const command = COMMANDS[words.slice(0, 2).join(' ')] ?? COMMANDS[name]
  if (!command || words.includes('--help')) {
    const width = Math.max(...Object.keys(COMMANDS).map((key) => key.length))
    console.log('vrata <command>\n')
    for (const [key, { does }] of Object.entries(COMMANDS)) console.log(`  ${key.padEnd(width)}  ${does}`)
    process.exitCode = command || words.includes('--help') ? 0 : 2
    return
  }
  await command.run(readConfig(process.env), words.slice(name in COMMANDS ? 1 : 2))
}

main().catch((error) => {
  if (error instanceof ConfigError) console.error(`These settings need your attention:\n\n${error.message}\n`)
  else console.error(error instanceof Error ? (error.stack ?? error.message) : error)
  process.exit(1)
})
