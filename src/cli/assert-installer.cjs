/*
 * A script of `npm ci` that ends an installation under a Node that is too old. Otherwise npm would leave out programs that
 * build the console, and the errors of the build would not say why. The service itself runs with the Node among its packages.
 */
const [, version] = /node\/v(\S+)/.exec(process.env.npm_config_user_agent) || [null, process.versions.node]
const [major, minor] = version.split('.').map(Number)
const isTooOld = major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)
if (isTooOld) {
  console.error(`npm runs with Node ${version} here, which is too old to install this service.`)
  console.error('Install Node 20.19, 22.12 or a later one (https://nodejs.org), then run npm ci again.')
  process.exit(1)
}
