export { csvLines, jsonLines } from './list-audit.ts'
export { type AuditActor, recordAudit } from './record.ts'
export { verifyAudit } from './verify.ts'
