/** Tests of launches. */
@NullMarked
package org.relaxvm.backendsupport.gpu.foreign;

import org.jspecify.annotations.NullMarked;
