export { deleteProxyTests, insertProxyTest } from './proxy-test-store.ts'
