export {
  type ClientUse,
  clientUseStatements,
  countWeekSignIns,
  pruneDays,
  recordClientUse,
  toDay,
} from './statistics.ts'
