{{/* The labels by which a half, "api" or "worker", or the relay, is selected: they never change. */}}
{{- define "entitlements-service.selector" -}}
app.kubernetes.io/name: entitlements-service
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .half }}
{{- end }}

{{- define "entitlements-service.metadata" -}}
name: {{ .root.Release.Name }}-{{ .half }}
labels:
  {{- include "entitlements-service.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end }}

{{/* The pods of a half. Both answer health checks on the port "http". */}}
{{- define "entitlements-service.pods" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "entitlements-service.selector" . | nindent 4 }}
  {{- with $values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  # Requests are served for 5 s more, and running ones may finish within 30 s.
  terminationGracePeriodSeconds: 45
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    seccompProfile: { type: RuntimeDefault }
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .half }}
      image: "{{ $values.image.repository }}:{{ $values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: ["start:{{ .half }}"]
      envFrom:
        - secretRef: { name: {{ .half_values.existingSecret | default $values.existingSecret }} }
      env:
        - { name: METRICS_PORT, value: "{{ $values.metrics.port }}" }
        {{- if eq .half "relay" }}
        - { name: RELAY_UPSTREAM_URL, value: {{ .half_values.upstreamUrl | default (printf "http://%s-api:%v" .root.Release.Name $values.service.port) | quote }} }
        {{- end }}
        {{- with $values.publicUrl }}
        - { name: PUBLIC_URL, value: {{ . | quote }} }
        {{- end }}
        {{- with $values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- with .half_values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - { name: http, containerPort: 4000 }
        - { name: metrics, containerPort: {{ $values.metrics.port }} }
      # The port opens once the migrations have run.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 5
        failureThreshold: 120
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 2
      resources:
        {{- toYaml .half_values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
  topologySpreadConstraints:
    {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ $key }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "entitlements-service.selector" $ | nindent 10 }}
    {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* How many pods of a half may be away at once while nodes are emptied. */}}
{{- define "entitlements-service.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "entitlements-service.metadata" . | nindent 2 }}
spec:
  {{- toYaml .half_values.disruptionBudget | nindent 2 }}
  selector:
    matchLabels:
      {{- include "entitlements-service.selector" . | nindent 6 }}
{{- end }}
