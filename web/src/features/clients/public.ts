export { accessErrors, accessFields, accessOf } from './details/access-fields.ts'
