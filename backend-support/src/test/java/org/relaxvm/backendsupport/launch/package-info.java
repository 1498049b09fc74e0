/** Tests of launches. */
@NullMarked
package org.relaxvm.backendsupport.launch;

import org.jspecify.annotations.NullMarked;
