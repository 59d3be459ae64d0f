export { type ClientUse, countWeekSignIns, pruneDays, recordClientUse, toDay } from './statistics.ts'
