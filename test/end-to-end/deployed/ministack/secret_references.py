"""`Ref` of a secret is its ARN. In MiniStack it is the secret's name, which no policy can grant."""

from ministack.services.cloudformation.provisioners import _RESOURCE_HANDLERS
from ministack.services.secretsmanager import _secrets


def _name_of(arn):
    return next(name for name, secret in _secrets.items() if secret["ARN"] == arn)


def mend():
    handlers = _RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
    create, update, delete = handlers["create"], handlers["update"], handlers["delete"]

    def create_by_arn(*arguments):
        _, attributes = create(*arguments)
        return attributes["Arn"], attributes

    def update_by_arn(arn, *arguments):
        _, attributes = update(_name_of(arn), *arguments)
        return attributes["Arn"], attributes

    def delete_by_arn(arn, *arguments):
        return delete(_name_of(arn), *arguments)

    handlers.update(create=create_by_arn, update=update_by_arn, delete=delete_by_arn)
