export { createAdminClient, replaceAdminSecret, updateAdminClient } from './change-client.ts'
export { reportDecision } from './decision.ts'
export { findAdminClients, getAdminClient, listAdminClients } from './list-clients.ts'
export { countPendingClients } from './store.ts'
