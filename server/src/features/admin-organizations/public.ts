export { updateAdminOrganization } from './change-organization.ts'
export { getAdminOrganization, listAdminOrganizations } from './list-organizations.ts'
