export { createAdminClient, replaceAdminSecret, updateAdminClient } from './change-client.ts'
export { findAdminClients, listAdminClients } from './list-clients.ts'
