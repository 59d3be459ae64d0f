export { type BrandingPlan, columnsOf as brandingColumns, planBranding, writeBranding } from './branding.ts'
export { CurrentBranding } from './current-branding.ts'
export { findBranding, selectBrandingForUpdate } from './store.ts'
export { DELIVERED as DELIVERED_BRANDING } from './to-branding.ts'
