/** Access to objects of Apache TVM: making them, and reading them with the paths of problems. */
@NullMarked
package org.relaxvm.compiler.objects.node;

import org.jspecify.annotations.NullMarked;
