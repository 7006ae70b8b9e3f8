{{/* templates/_names.tpl: names and labels of all objects. */}}

{{/* At most 52 characters: Kubernetes adds a hash to the name of a StatefulSet and makes a label of both. */}}
{{- define "pulseward.name" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains "pulseward" .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-pulseward" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What never changes: selectors of a StatefulSet are immutable. */}}
{{- define "pulseward.selector" -}}
app.kubernetes.io/name: pulseward
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "pulseward.labels" -}}
{{ include "pulseward.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "pulseward.tokenSecret" -}}
{{- .Values.token.existingSecret | default (printf "%s-token" (include "pulseward.name" .)) -}}
{{- end -}}

{{/* In a namespace that is not ours, a release of the same name elsewhere may have its own. */}}
{{- define "pulseward.recoveryRole" -}}
{{- printf "%s-%s-recovery" (include "pulseward.name" .) .Release.Namespace -}}
{{- end -}}

{{- define "pulseward.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* Not empty if one of several pods is active and the others stand by. */}}
{{- define "pulseward.standsBy" -}}
{{- if gt (int .Values.replicas) 1 -}}true{{- end -}}
{{- end -}}
