import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Panel = { title: string; targets?: { expr: string }[] }

/** The queries of the dashboard, as Prometheus gets them from Grafana. */
export const dashboardQueries: { title: string; expr: string }[] = (
  JSON.parse(readFileSync('docs/operations/grafana/dashboard.json', 'utf8')).panels as Panel[]
).flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr: fillIn(expr) })))

function fillIn(expr: string): string {
  return expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')
}

export const rulesFile = 'docs/operations/prometheus/rules.yaml'
export const ruleTestsFile = 'docs/operations/prometheus/rules.test.yaml'

type Rule = { alert: string; expr: string }
type RuleTest = { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }

export const alerts: Rule[] = parse(readFileSync(rulesFile, 'utf8')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
)

/** The unit tests of the alerts: which fire, and which are quiet. */
export const alertTests = (parse(readFileSync(ruleTestsFile, 'utf8')).tests as RuleTest[])
  .flatMap(({ alert_rule_test }) => alert_rule_test)
  .map(({ alertname, exp_alerts }) => `${alertname} ${exp_alerts.length > 0 ? 'fires' : 'is quiet'}`)
