"""MiniStack refuses alarms over metric math. It gets them over the first metric in it: nothing here raises alarms."""

from ministack.services.cloudformation.provisioners import _RESOURCE_HANDLERS


def _without_math(value):
    """Of a handler's arguments those that are properties of such an alarm, changed; any other as it is."""
    if not isinstance(value, dict) or not value.get("Metrics"):
        return value
    properties = {name: said for name, said in value.items() if name != "Metrics"}
    watched = next(metric["MetricStat"] for metric in value["Metrics"] if "MetricStat" in metric)
    return {**properties, **watched["Metric"], "Period": watched["Period"], "Statistic": watched["Stat"]}


def mend():
    handlers = _RESOURCE_HANDLERS["AWS::CloudWatch::Alarm"]

    def mended(handler):
        return lambda *arguments: handler(*map(_without_math, arguments))

    handlers.update({name: mended(handlers[name]) for name in ("create", "update")})
