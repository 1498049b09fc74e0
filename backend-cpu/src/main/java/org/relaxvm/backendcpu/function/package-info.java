/** Functions of one element that have parameters, or are true or false. */
@NullMarked
package org.relaxvm.backendcpu.function;

import org.jspecify.annotations.NullMarked;
