"""MiniStack for the end-to-end test, mended where it differs from AWS. Hypercorn serves `app`."""

import alarms
import batch_actions
import secret_references
from ministack.app import app as ministack

alarms.mend()
batch_actions.mend()
secret_references.mend()


async def app(scope, receive, send):
    """AWS is reached over TLS only: without it, policies that deny plain HTTP would deny everything here."""
    await ministack({**scope, "scheme": "https"} if scope["type"] == "http" else scope, receive, send)
