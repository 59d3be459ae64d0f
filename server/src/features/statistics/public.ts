export { SignInDays } from './sign-in-days.ts'
export {
  type ClientUse,
  clientUseStatements,
  countWeekSignIns,
  pruneDays,
  recordClientUse,
  toDay,
} from './statistics.ts'
