export { CurrentBranding } from './current-branding.ts'
