export { getConfiguration } from './get-configuration.ts'
export { applyConfiguration } from './update-configuration.ts'
