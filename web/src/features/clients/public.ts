export { accessErrors, accessFields, accessOf, mergedAccess } from './details/access-fields.ts'
