import { operators } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { addOperator, changeOperator, listOperators, removeOperator } from './operators.ts'
import { checkSetupLink, completeSetup, getSetup, updateSetup } from './setup.ts'

/** Operators of the installation (operators §1). */
export const routes: RouteHandler[] = [
  serve(operators.listOperators, listOperators),
  serve(operators.addOperator, addOperator),
  serve(operators.changeOperator, changeOperator),
  serve(operators.removeOperator, removeOperator),
  serve(operators.checkSetupLink, checkSetupLink),
  serve(operators.completeSetup, completeSetup),
  serve(operators.getSetup, getSetup),
  serve(operators.updateSetup, updateSetup),
]
