export { NewPasswordField, newPasswordProblems } from './password/new-password-field.tsx'
