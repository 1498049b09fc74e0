// Narrows the comparison with the API of the last release to changes in packages that the new jar exports to everyone.
// Public classes of its other packages are not API. A package that the new jar lacks counts: whether the old one exported
// it is not known here.
import java.lang.module.ModuleFinder

def present = jApiClasses.find { it.newClass.present }
if (present == null) {
  return jApiClasses
}
def location = present.newClass.get().URL.toString()
def jar = new File(new URI(location.substring('jar:'.length(), location.indexOf('!/'))))
def module = ModuleFinder.of(jar.toPath()).findAll().first().descriptor()
def internal = module.packages() - module.exports().findAll { !it.qualified }*.source()

// The plugin ignores the returned list, so this one is changed.
jApiClasses.removeIf { type ->
  def name = type.fullyQualifiedName
  type.changeStatus.name() == 'UNCHANGED' ||
      internal.contains(name.substring(0, Math.max(name.lastIndexOf('.'), 0)))
}
return jApiClasses
