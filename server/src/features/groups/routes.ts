import { groups } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { createGroup, deleteGroup, getGroup, listGroups, updateGroup } from './groups.ts'
import { addGroupMember, listGroupMembers, removeGroupMember } from './members.ts'

/** Groups of the installation (operators §5). */
export const routes: RouteHandler[] = [
  serve(groups.listGroups, listGroups),
  serve(groups.createGroup, createGroup),
  serve(groups.getGroup, getGroup),
  serve(groups.updateGroup, updateGroup),
  serve(groups.deleteGroup, deleteGroup),
  serve(groups.listGroupMembers, listGroupMembers),
  serve(groups.addGroupMember, addGroupMember),
  serve(groups.removeGroupMember, removeGroupMember),
]
