/** Functions that vector loops leave to loops of their own. */
@NullMarked
package org.relaxvm.backendcpu.codegen.functions;

import org.jspecify.annotations.NullMarked;
