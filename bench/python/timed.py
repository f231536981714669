"""How long a program waits for DynamoDB: requests and seconds of each operation."""

import json
import time
from typing import Any


class Timed:
    """Notes each call of a client of boto3 from the moment on that it is made, with its retries."""

    def __init__(self, client: Any) -> None:
        self._requests: dict[str, tuple[int, float]] = {}
        client.meta.events.register("before-call.dynamodb", self._begin)
        client.meta.events.register("after-call.dynamodb", self._end)

    def _begin(self, **_given: Any) -> None:
        self._began = time.perf_counter()

    def _end(self, model: Any, **_given: Any) -> None:
        count, seconds = self._requests.get(model.name, (0, 0.0))
        self._requests[model.name] = (count + 1, seconds + time.perf_counter() - self._began)

    def print(self, callers: int) -> None:
        print(json.dumps({"callers": callers, "requests": self._requests}))
