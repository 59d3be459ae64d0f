export { updateAdminOrganization } from './change-organization.ts'
export { createAdminOrganization } from './create-organization.ts'
export { getAdminOrganization, listAdminOrganizations } from './list-organizations.ts'
export { countPendingOrganizations } from './store.ts'
