import manifest from '../package.json' with { type: 'json' }

/** Of this server, as its package states it. */
export const VERSION: string = manifest.version
