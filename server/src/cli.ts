import { type Config, ConfigError, readConfig } from './config.ts'

type Command = { does: string; run(config: Config, words: string[]): Promise<void> }

/** The commands of api §8.1. Each loads only what it needs. */
const COMMANDS: Record<string, Command> = {
  serve: {
    does: 'apply pending migrations, then start the server',
    run: async (config) => (await import('./main.ts')).serve(config),
  },
  migrate: {
    does: 'apply pending database migrations',
    run: async (config) => {
      const { openAdapters } = await import('./main.ts')
      const { store } = await openAdapters(config)
      const ran = await store.migrate()
      console.log(ran.length ? `Applied ${ran.join(', ')}.` : 'The database is up to date.')
      await store.close()
    },
  },
  'secret rotate': {
    does: 'replace VRATA_SECRET, or the secret in the data folder, and encrypt everything with the new one: [--finish]',
    run: async (config, args) => (await import('./rotate-secret.ts')).rotateSecret(config, args),
  },
  'keys list': {
    does: 'print the ids and states of the signing keys',
    run: async (config) => (await import('./key-commands.ts')).listSigningKeys(config),
  },
  'keys rotate': {
    does: 'create new signing keys; tokens signed with the old ones stay valid',
    run: async (config) => (await import('./key-commands.ts')).rotateSigningKeys(config),
  },
  'keys revoke': {
    does: 'delete signing keys in an emergency; tokens signed with them are rejected: <id of a key> …',
    run: async (config, args) => (await import('./key-commands.ts')).revokeSigningKeys(config, args),
  },
  'client registration-token': {
    does: 'print a token for registering apps: <organization id> <member email> [--uses 1] [--days 1] [--pkce-optional]',
    run: async (config, args) => (await import('./registration-token.ts')).giveRegistrationToken(config, args),
  },
  'operator add': {
    does: 'let an account run this installation: <email> [--role admin|support|auditor]',
    run: async (config, args) => (await import('./operator-commands.ts')).addOperator(config, args),
  },
  'operator remove': {
    does: 'take the role from an operator: <email>',
    run: async (config, args) => (await import('./operator-commands.ts')).removeOperator(config, args),
  },
  'operator list': {
    does: 'print the operators and their roles',
    run: async (config) => (await import('./operator-commands.ts')).printOperators(config),
  },
  'audit verify': {
    does: 'check that no event of the audit log was changed or removed',
    run: async (config) => (await import('./operator-commands.ts')).printAuditVerification(config),
  },
  'audit export': {
    does: 'print the audit log: [--format ndjson|csv]',
    run: async (config, args) => (await import('./operator-commands.ts')).exportAuditLog(config, args),
  },
  doctor: {
    does: 'check the settings, database, secret, email and location data',
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
  if (error instanceof ConfigError) console.error(`These settings are not valid:\n\n${error.message}\n`)
  else console.error(error instanceof Error ? (error.stack ?? error.message) : error)
  process.exit(1)
})
