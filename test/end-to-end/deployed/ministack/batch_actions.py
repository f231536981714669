"""A batch of messages needs the right to send, receive or delete one. MiniStack asks for a right that AWS does not know."""

from ministack.core import iam_actions


def mend():
    extract = iam_actions.extract_iam_action

    def without_batch(*arguments):
        action = extract(*arguments)
        return action.removesuffix("Batch") if action and action.startswith("sqs:") else action

    iam_actions.extract_iam_action = without_batch
