"""MiniStack for the end-to-end test, patched where it differs from AWS. Hypercorn serves `app`."""

import base64
import json

from ministack.app import app as ministack
from ministack.core import iam_actions
from ministack.services import eventbridge, firehose
from ministack.services.cloudformation.provisioners import _RESOURCE_HANDLERS
from ministack.services.secretsmanager import _secrets


def _without_math(value):
    """Properties of an alarm over metric math, changed to its first metric; any other argument as it is."""
    if not isinstance(value, dict) or not value.get("Metrics"):
        return value
    properties = {name: each for name, each in value.items() if name != "Metrics"}
    metric = next(each["MetricStat"] for each in value["Metrics"] if "MetricStat" in each)
    return {**properties, **metric["Metric"], "Period": metric["Period"], "Statistic": metric["Stat"]}


def patch_alarms():
    """MiniStack rejects alarms over metric math. No alarm is raised here, so one metric stands in for it."""
    handlers = _RESOURCE_HANDLERS["AWS::CloudWatch::Alarm"]

    def patched(handler):
        return lambda *arguments: handler(*map(_without_math, arguments))

    handlers.update({name: patched(handlers[name]) for name in ("create", "update")})


def patch_batch_actions():
    """AWS checks the right to send, receive or delete one message also for a batch. MiniStack checks an unknown right."""
    extract = iam_actions.extract_iam_action

    def without_batch(*arguments):
        action = extract(*arguments)
        return action.removesuffix("Batch") if action and action.startswith("sqs:") else action

    iam_actions.extract_iam_action = without_batch


def patch_secret_references():
    """`Ref` of a secret is its ARN. In MiniStack it is the secret's name, which no policy can grant."""
    handlers = _RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
    create, update, delete = handlers["create"], handlers["update"], handlers["delete"]

    def name_of(arn):
        return next(name for name, secret in _secrets.items() if secret["ARN"] == arn)

    def create_by_arn(*arguments):
        _, attributes = create(*arguments)
        return attributes["Arn"], attributes

    def update_by_arn(arn, *arguments):
        _, attributes = update(name_of(arn), *arguments)
        return attributes["Arn"], attributes

    def delete_by_arn(arn, *arguments):
        return delete(name_of(arn), *arguments)

    handlers.update(create=create_by_arn, update=update_by_arn, delete=delete_by_arn)


def patch_firehose_targets():
    """EventBridge sends to Firehose. MiniStack accepts such a target, and then only logs that it does not know it."""
    send = eventbridge._invoke_target

    def send_to_any(target, event, rule, view=None):
        _, _, resource = target.get("Arn", "").partition(":deliverystream/")
        if not resource:
            return send(target, event, rule, view)
        payload = json.dumps((view or eventbridge._pattern_event_view(event)).event_with_detail())
        record = {"Data": base64.b64encode(payload.encode()).decode()}
        return firehose._put_record({"DeliveryStreamName": resource, "Record": record})

    eventbridge._invoke_target = send_to_any


patch_alarms()
patch_firehose_targets()
patch_batch_actions()
patch_secret_references()


async def app(scope, receive, send):
    """AWS answers over TLS only. Without this, policies that deny plain HTTP would deny every request."""
    await ministack({**scope, "scheme": "https"} if scope["type"] == "http" else scope, receive, send)
